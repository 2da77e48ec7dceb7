"""The sample projects of integration/samples: each is run by the one command of its README, in a copy of its folder."""
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import typing

from lib.jvm import BUILD, CACHE, JAR, LAUNCHER, PATIENCE, ROOT, hearth
from lib.stacks import Stacks
from lib.ticks import Skipped, expect

FOLDER = ROOT / "integration/samples"
REPOSITORY = BUILD / "maven"
# Messages of a download that did not arrive; not those of an artifact that a registry does not have.
UNREACHABLE = re.compile(r"Could not transfer (?:artifact|metadata)|Unknown host|Could not GET 'https|Connect(?:ion)? (?:timed out|refused)")


class Sample(typing.NamedTuple):
    name: str  # of its folder
    profile: str  # a glob in the folder, for the one file that the command leaves
    hot: str  # a regular expression of the frame that is to have a share of the profile
    share: float = 0.2  # of all weight, at least
    needs: tuple = ()  # commands
    label: str = ""  # KEY:VALUE; the share is of the stacks with this label
    uses_repository: bool = True  # needs the folder of a Maven repository
    seconds: int = 2 * PATIENCE


def command_of(sample):
    """The first block of shell lines of its README."""
    text = (FOLDER / sample.name / "README.md").read_text(encoding="utf-8")
    return re.search(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]


def need(*commands):
    for command in commands:
        if not shutil.which(command):
            raise Skipped(f"{command} is not installed; integration/install plugins installs it")


def finished(command, seconds, **how):
    """The finished process; skips the case where the network has no registry."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False, **how)
    missing = done.returncode and UNREACHABLE.search(done.stdout)
    if missing:
        raise Skipped(f"a registry cannot be reached: {next(line for line in done.stdout.splitlines() if missing[0] in line)[:200]}")
    return done


def built(*options, repository=REPOSITORY):
    """The folder of a Maven repository with this build's hearth.jar and plug-ins."""
    need("mvn")
    command = [ROOT / "integration/lib/release/build_plugins", *options, JAR, repository]
    done = finished(list(map(str, command)), 4 * PATIENCE)
    expect(done.returncode == 0, "the plug-ins", done.stdout[-3000:])
    return repository


def environment(jdk, repository, place):
    """As a user's, with the variables that the samples' commands name. Each Maven finds the downloads of the others."""
    path = f"{jdk.home}/bin:{LAUNCHER.parent}:{ROOT}/integration/lib/builds:{os.environ['PATH']}"
    return {**os.environ, "JAVA_HOME": jdk.home, "PATH": path, "LEIN_HOME": str(place / ".lein"),
            "HEARTH_REPOSITORY": str(repository), "HEARTH_JAR": str(JAR), "HEARTH_CACHE": str(CACHE)}


def run(sample, jdk, directory, repository=REPOSITORY):
    """Runs the sample in a copy below `directory`; returns the stacks of its profile, and its output."""
    need(*sample.needs)
    place = pathlib.Path(directory) / sample.name
    shutil.copytree(FOLDER / sample.name, place, ignore=shutil.ignore_patterns("target", "build", ".gradle"))
    (place / ".mvn").mkdir()
    (place / ".mvn/maven.config").write_text(f"-Dmaven.repo.local={CACHE / 'maven'}\n", encoding="utf-8")
    (place / ".lein").mkdir()
    (place / ".lein/profiles.clj").write_text(f'{{:user {{:local-repo "{CACHE / "maven"}"}}}}\n', encoding="utf-8")
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "maven.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(CACHE / "maven/io/hearth", ignore_errors=True)  # of an earlier build with the same version
        done = finished(["bash", "-euc", command_of(sample)], sample.seconds, cwd=place, env=environment(jdk, repository, place))
    expect(done.returncode == 0, "exit status 0", done.returncode, done.stdout[-3000:])
    files = sorted(place.glob(sample.profile))
    expect(len(files) == 1, f"one file {sample.profile}", files, done.stdout[-3000:])
    return stacks_of(files[0], sample.label), done.stdout


def stacks_of(profile, label=""):
    """The stacks of a profile in any format that can be read back, or those with a label."""
    return Stacks.parse(hearth("convert", "-o", "collapsed", "--total", *(("--label", label) if label else ()), profile, "-").stdout)


def expect_hot(sample, stacks):
    share = stacks.share_with(sample.hot)
    expect(share >= sample.share, f"{sample.hot} in {sample.share:.0%} of the profile", round(share, 3), stacks.frames().most_common(5))
    return share
