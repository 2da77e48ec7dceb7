#!/usr/bin/env python3
"""Packs the built files of a release. Everything has the time SOURCE_DATE_EPOCH, so that the same content gives the same bytes."""
import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
VERSION = re.search(r"^project\(hearth VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
ZIP_EPOCH = max(EPOCH, 315532800)  # zip knows no time before 1980
SUMS = ("md5", "sha1", "sha256")
GROUP = "io.hearth"
# As Debian, RPM and OCI name them.
NAMES = {"x64": ("amd64", "x86_64", "amd64"), "arm64": ("arm64", "aarch64", "arm64")}
ABOUT = "Profiler for Java and Clojure on Linux"
# async-profiler's names for the same files.
LINKS = {"bin/asprof": ("hearth", 0o777), "lib/libasyncProfiler.so": ("libhearth.so", 0o777)}


def tar_of(files):
    """A tar file of {path: (content, mode)}; a text in place of bytes is the target of a symbolic link."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path, (content, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.mode, entry.mtime = mode, EPOCH
            if isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
                tar.addfile(entry)
            else:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def packed(data):
    return gzip.compress(data, 9, mtime=0)


def zip_of(files, out):
    """A zip file of {path: content}, the manifest first."""
    moment = time.gmtime(ZIP_EPOCH)[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as jar:
        for path in sorted(files, key=lambda one: (not one.startswith("META-INF/MANIFEST"), one)):
            entry = zipfile.ZipInfo(path, moment)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            jar.writestr(entry, files[path])


def put_sums(folder):
    """Files of checksums next to every other file."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix[1:] not in SUMS:
            for name in SUMS:
                path.with_name(f"{path.name}.{name}").write_text(hashlib.new(name, path.read_bytes()).hexdigest(), encoding="utf-8")


def tree(folder):
    """{relative path: content} of all files below."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Release:
    def __init__(self, work, classes, platforms):
        self.work, self.classes, self.platforms = work, classes, platforms
        self.dist = work / "dist"
        self.dist.mkdir(parents=True)
        self.sbom = json.dumps(components(platforms), indent=1).encode() + b"\n"

    def native(self, platform, name):
        return (self.work / platform / name).read_bytes()

    def write(self, name, content):
        path = self.dist / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def archive(self, platform):
        name = f"hearth-{VERSION}-linux-{platform}"
        files = {f"{name}/bin/hearth": (self.native(platform, "bin/hearth"), 0o755),
                 f"{name}/lib/libhearth.so": (self.native(platform, "lib/libhearth.so"), 0o755),
                 f"{name}/lib/hearth.jar": (self.jar.read_bytes(), 0o644),
                 f"{name}/lib/async-profiler.jar": (self.asprof_jar.read_bytes(), 0o644),
                 **{f"{name}/{path}": link for path, link in LINKS.items()},
                 f"{name}/share/man/man1/hearth.1": ((ROOT / "launcher/hearth.1").read_bytes(), 0o644),
                 f"{name}/LICENSE": ((ROOT / "LICENSE").read_bytes(), 0o644),
                 f"{name}/sbom.cdx.json": (self.sbom, 0o644)}
        self.write(f"{name}.tar.gz", packed(tar_of(files)))
        debug = {f"{name}/debug/{file}.debug": (self.native(platform, f"debug/{file}.debug"), 0o644) for file in ("hearth", "libhearth.so")}
        self.write(f"{name}-debug.tar.gz", packed(tar_of(debug)))

    def installed(self, platform):
        """{path below /usr: (content, mode)} of a package of a distribution."""
        return {"bin/hearth": (self.native(platform, "bin/hearth"), 0o755),
                "lib/libhearth.so": (self.native(platform, "lib/libhearth.so"), 0o755),
                "share/java/hearth.jar": (self.jar.read_bytes(), 0o644),
                "share/java/async-profiler.jar": (self.asprof_jar.read_bytes(), 0o644),
                **LINKS,
                "share/man/man1/hearth.1.gz": (packed((ROOT / "launcher/hearth.1").read_bytes()), 0o644),
                "share/doc/hearth/copyright": ((ROOT / "LICENSE").read_bytes(), 0o644)}

    def deb(self, platform):
        with tempfile.TemporaryDirectory() as folder:
            put(pathlib.Path(folder) / "usr", self.installed(platform))
            control = (f"Package: hearth\nVersion: {VERSION}\nArchitecture: {NAMES[platform][0]}\nMaintainer: the hearth project\n"
                       f"Section: devel\nPriority: optional\nDescription: {ABOUT}\n")
            put(pathlib.Path(folder), {"DEBIAN/control": (control.encode(), 0o644)})
            run("dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", folder, self.dist / f"hearth_{VERSION}_{NAMES[platform][0]}.deb")

    def rpm(self, platform):
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            put(top / "root/usr", self.installed(platform))
            files = "\n".join(f"/usr/{path}" for path in sorted(self.installed(platform)))
            (top / "hearth.spec").write_text(
                f"Name: hearth\nVersion: {VERSION}\nRelease: 1\nSummary: {ABOUT}\nLicense: Apache-2.0\nAutoReqProv: no\n"
                f"%description\n{ABOUT}\n%install\ncp -a {top}/root/. %{{buildroot}}\n%files\n{files}\n", encoding="utf-8")
            settings = {"_topdir": top, "_rpmdir": self.dist, "_rpmfilename": f"hearth-{VERSION}-1.{NAMES[platform][1]}.rpm",
                        "_buildhost": "localhost", "use_source_date_epoch_as_buildtime": 1, "clamp_mtime_to_source_date_epoch": 1,
                        "__os_install_post": "%{nil}", "debug_package": "%{nil}", "_build_id_links": "none"}
            defines = [part for name, value in settings.items() for part in ("--define", f"{name} {value}")]
            run("rpmbuild", "-bb", "--quiet", "--target", f"{NAMES[platform][1]}-linux", *defines, top / "hearth.spec")

    def make_jar(self):
        files = tree(self.classes)
        for platform in self.platforms:
            for name in ("bin/hearth", "lib/libhearth.so"):
                files[f"hearth/linux-{platform}/{name.split('/')[1]}"] = self.native(platform, name)
        manifest = (self.classes.parent / "manifest").read_text(encoding="utf-8")
        files["META-INF/MANIFEST.MF"] = f"Manifest-Version: 1.0\n{manifest}\n".encode()
        files["META-INF/LICENSE"] = (ROOT / "LICENSE").read_bytes()
        files["META-INF/sbom.cdx.json"] = self.sbom
        self.jar = self.dist / f"hearth-{VERSION}.jar"
        zip_of(files, self.jar)

    def make_asprof_jar(self):
        """async-profiler's Java API, with the agents of all platforms; the target hearth_asprof_jar makes it for one."""
        with tempfile.TemporaryDirectory() as folder:
            run("javac", "--release", "8", "-Xlint:-options", "-g", "-encoding", "UTF-8", "-d", folder,
                *sorted((ROOT / "java/asprof/one/profiler").glob("*.java")))
            files = tree(pathlib.Path(folder))
        for platform in self.platforms:
            files[f"linux-{platform}/libasyncProfiler.so"] = self.native(platform, "lib/libhearth.so")
        manifest = (self.classes.parent / "asprof_manifest").read_text(encoding="utf-8")
        files["META-INF/MANIFEST.MF"] = f"Manifest-Version: 1.0\n{manifest}\n".encode()
        files["META-INF/LICENSE"] = (ROOT / "LICENSE").read_bytes()
        self.asprof_jar = self.work / "async-profiler.jar"
        zip_of(files, self.asprof_jar)

    def maven_repository(self):
        place = self.dist / "maven" / GROUP.replace(".", "/") / "hearth" / VERSION
        place.mkdir(parents=True)
        shutil.copy(self.jar, place)
        roots = (ROOT / "java/hearth", ROOT / "java/budgets/hearth", ROOT / "java/clojure/hearth")  # of one package
        zip_of({f"hearth/{name}": content for root in roots for name, content in tree(root).items()}, place / f"hearth-{VERSION}-sources.jar")
        with tempfile.TemporaryDirectory() as folder:
            sources = sorted(path for root in roots for path in root.glob("*.java"))
            run("javadoc", "-quiet", "-Xdoclint:none", "-notimestamp", "-encoding", "UTF-8", "-cp", f"{self.classes}:{self.classes.parent}/opentelemetry_api",
                "-d", folder, *sources)
            zip_of(tree(pathlib.Path(folder)), place / f"hearth-{VERSION}-javadoc.jar")
        (place / f"hearth-{VERSION}.pom").write_text(POM.format(group=GROUP, version=VERSION, about=ABOUT), encoding="utf-8")
        put_sums(place)

    def plugins(self):
        run(ROOT / "integration/lib/release/build_plugins", self.jar, self.dist / "maven")

    def image(self):
        """An OCI image layout (opencontainers/image-spec) in one tar file, of all platforms: for init containers to copy from."""
        blobs, manifests = {}, []

        def blob(content, kind):
            digest = hashlib.sha256(content).hexdigest()
            blobs[f"blobs/sha256/{digest}"] = (content, 0o644)
            return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(content)}

        for platform in self.platforms:
            layer = tar_of({**{f"hearth/{path}": link for path, link in LINKS.items()},
                            "hearth/bin/hearth": (self.native(platform, "bin/hearth"), 0o755),
                            "hearth/lib/libhearth.so": (self.native(platform, "lib/libhearth.so"), 0o755)})
            system = {"architecture": NAMES[platform][2], "os": "linux"}
            config = blob(as_json({**system, "config": {"Entrypoint": ["/hearth/bin/hearth"]},
                                   "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]}}), "config.v1+json")
            manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config,
                        "layers": [blob(packed(layer), "layer.v1.tar+gzip")]}
            manifests.append({**blob(as_json(manifest), "manifest.v1+json"), "platform": system})
        index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": manifests}
        top = {**blob(as_json(index), "index.v1+json"), "annotations": {"org.opencontainers.image.ref.name": VERSION}}
        blobs["oci-layout"] = (as_json({"imageLayoutVersion": "1.0.0"}), 0o644)
        blobs["index.json"] = (as_json({"schemaVersion": 2, "manifests": [top]}), 0o644)
        self.write(f"hearth-{VERSION}-image.tar", tar_of(blobs))

    def sums(self):
        lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(self.dist)}\n"
                 for path in sorted(self.dist.rglob("*")) if path.is_file()]
        (self.dist / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{group}</groupId>
  <artifactId>hearth</artifactId>
  <version>{version}</version>
  <name>hearth</name>
  <description>{about}</description>
  <licenses><license><name>Apache-2.0</name><url>https://www.apache.org/licenses/LICENSE-2.0</url></license></licenses>
</project>
"""


def as_json(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def components(platforms):
    """The libraries inside, as CycloneDX 1.5."""
    versions = {name: installed_version(package) for name, package in
                (("fmt", "libfmt-dev"), ("nlohmann-json", "nlohmann-json3-dev"), ("CLI11", "libcli11-dev"))}
    zig = re.search(r"ziglang==(\S+)", (ROOT / "integration/lib/fetch/ziglang.txt").read_text(encoding="utf-8"))[1]
    zlib = re.search(r"^version=(\S+)", (ROOT / "integration/lib/fetch/fetch_zlib").read_text(encoding="utf-8"), re.M)[1]
    versions |= {"zlib": zlib, "libc++ of zig": zig, "musl of zig": zig}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": {"type": "application", "name": "hearth", "version": VERSION,
                                       "properties": [{"name": "platforms", "value": " ".join(platforms)}]}},
            "components": [{"type": "library", "name": name, "version": version} for name, version in versions.items()]}


def installed_version(package):
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True).stdout


def put(folder, files):
    for path, (content, mode) in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            target.symlink_to(content)
            continue
        target.write_bytes(content)
        target.chmod(mode)
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (EPOCH, EPOCH), follow_symlinks=False)


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--classes", type=pathlib.Path, required=True)
    parser.add_argument("platforms", nargs="+")
    given = parser.parse_args()
    release = Release(given.work, given.classes, given.platforms)
    release.make_jar()
    release.make_asprof_jar()
    for platform in given.platforms:
        release.archive(platform)
        release.deb(platform)
        release.rpm(platform)
    release.maven_repository()
    release.plugins()
    release.image()
    release.sums()


if __name__ == "__main__":
    main()
