import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Prints requests of OpenTelemetry's profiles, a file each, as OpenTelemetry's own classes read them: lines of words with tabs
 * between. Ends with an exception where a request breaks a rule of profiles.proto. With --handed-on before the files they are of
 * a collector, which writes absent things in another way: an empty value, and ids of no bytes.
 *   request
 *   resource KEY VALUE
 *   scope NAME VERSION
 *   profile TYPE UNIT PERIOD-TYPE PERIOD BEGIN-NS DURATION-NS
 *   sample VALUE STACK LINK KEY=VALUE…     STACK outermost first, frames as NAME/TYPE with ; between; LINK as TRACE:SPAN or empty
 */
public class OtlpLines {
    private final ProfilesDictionary dictionary;
    private final boolean handedOn;

    OtlpLines(ProfilesDictionary dictionary, boolean handedOn) {
        this.dictionary = dictionary;
        this.handedOn = handedOn;
    }

    public static void main(String[] words) throws Exception {
        List<String> files = new ArrayList<>(List.of(words));
        boolean handedOn = files.remove("--handed-on");
        for (String file : files) {
            ExportProfilesServiceRequest request = ExportProfilesServiceRequest.parseFrom(Files.readAllBytes(Paths.get(file)));
            must(request.getUnknownFields().asMap().isEmpty(), "only fields that are known");
            line("request");
            OtlpLines lines = new OtlpLines(request.getDictionary(), handedOn);
            lines.checkTables();
            for (ResourceProfiles resource : request.getResourceProfilesList()) lines.print(resource);
        }
    }

    private static void must(boolean holds, String what) {
        if (!holds) throw new IllegalStateException("not so: " + what);
    }

    private void checkTables() {
        must(dictionary.getUnknownFields().asMap().isEmpty(), "only fields that are known");
        must(dictionary.getMappingTable(0).getSerializedSize() == 0, "no mapping is 0");
        must(dictionary.getLocationTable(0).getSerializedSize() == 0, "no location is 0");
        must(dictionary.getFunctionTable(0).getSerializedSize() == 0, "no function is 0");
        KeyValueAndUnit none = dictionary.getAttributeTable(0);
        if (handedOn && none.getValue().equals(AnyValue.getDefaultInstance())) none = none.toBuilder().clearValue().build();
        must(none.getSerializedSize() == 0, "no attribute is 0");
        must(dictionary.getStackTable(0).getSerializedSize() == 0, "no stack is 0");
        must(dictionary.getStringTable(0).isEmpty(), "no string is 0");
        must(link(0).equals(handedOn ? ":" : "0".repeat(32) + ":" + "0".repeat(16)), "no link is 0");
        for (List<?> table : List.of(dictionary.getStringTableList(), dictionary.getFunctionTableList(), dictionary.getLocationTableList(),
                                     dictionary.getAttributeTableList(), dictionary.getStackTableList(), dictionary.getLinkTableList()))
            must(new HashSet<>(table).size() == table.size(), "each item once");
    }

    private void print(ResourceProfiles resource) {
        for (KeyValue pair : resource.getResource().getAttributesList())
            line("resource", key(pair), text(pair.getValue()));
        for (ScopeProfiles scope : resource.getScopeProfilesList()) {
            line("scope", scope.getScope().getName(), scope.getScope().getVersion());
            for (Profile profile : scope.getProfilesList()) print(profile);
        }
    }

    private void print(Profile profile) {
        ValueType type = profile.getSampleType();
        line("profile", string(type.getTypeStrindex()), string(type.getUnitStrindex()), string(profile.getPeriodType().getTypeStrindex()),
             profile.getPeriod(), profile.getTimeUnixNano(), profile.getDurationNano());
        Set<List<Integer>> identities = new HashSet<>();
        for (Sample sample : profile.getSamplesList()) {
            must(sample.getUnknownFields().asMap().isEmpty(), "only fields that are known");
            must(sample.getValuesCount() == 1, "one value a sample");
            List<Integer> identity = new ArrayList<>(sample.getAttributeIndicesList());
            Collections.sort(identity);
            identity.add(sample.getStackIndex());
            identity.add(sample.getLinkIndex());
            must(identities.add(identity), "one sample of a stack, its attributes and its link");
            String link = sample.getLinkIndex() == 0 ? "" : link(sample.getLinkIndex());
            List<Object> words = new ArrayList<>(List.of("sample", sample.getValues(0), stack(sample.getStackIndex()), link));
            words.addAll(attributes(sample.getAttributeIndicesList()));
            line(words.toArray());
        }
    }

    private String stack(int index) {
        must(index != 0, "a stack");
        Stack stack = dictionary.getStackTable(index);
        List<String> frames = new ArrayList<>();
        for (int location : stack.getLocationIndicesList()) frames.add(0, frame(dictionary.getLocationTable(location)));
        return String.join(";", frames);
    }

    private String link(int index) {
        Link link = dictionary.getLinkTable(index);
        return hex(link.getTraceId()) + ":" + hex(link.getSpanId());
    }

    private static String hex(ByteString bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes.toByteArray()) text.append(String.format("%02x", one));
        return text.toString();
    }

    private String frame(Location location) {
        must(location.getLinesCount() == 1, "one line a location");
        String name = string(dictionary.getFunctionTable(location.getLines(0).getFunctionIndex()).getNameStrindex());
        must(!name.isEmpty(), "a function's name");
        return name + "/" + attributes(location.getAttributeIndicesList()).get(0).replace("profile.frame.type=", "");
    }

    private List<String> attributes(List<Integer> indices) {
        List<String> pairs = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (int index : indices) {
            KeyValueAndUnit pair = dictionary.getAttributeTable(index);
            must(keys.add(string(pair.getKeyStrindex())), "keys that differ");
            pairs.add(string(pair.getKeyStrindex()) + "=" + text(pair.getValue()));
        }
        return pairs;
    }

    private String string(int index) {
        return dictionary.getStringTable(index);
    }

    private String key(KeyValue pair) {
        return pair.getKey().isEmpty() ? string(pair.getKeyStrindex()) : pair.getKey();
    }

    private String text(AnyValue value) {
        if (value.hasStringValueStrindex()) return string(value.getStringValueStrindex());
        return value.hasIntValue() ? "" + value.getIntValue() : value.getStringValue();
    }

    private static void line(Object... words) {
        List<String> texts = new ArrayList<>();
        for (Object word : words) texts.add(word.toString());
        System.out.println(String.join("\t", texts));
    }
}
