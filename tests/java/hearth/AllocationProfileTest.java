package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class AllocationProfileTest {
    private static final String TEST = "Main.main:1;hearth/AllocationMeter.operate:9;hearth/AllocationBudget.lambda$check$0:2;";

    private static AllocationProfile profile(String... stacksWithBytesAndObjects) {
        StringBuilder bytes = new StringBuilder();
        StringBuilder objects = new StringBuilder();
        for (String line : stacksWithBytesAndObjects) {
            String[] columns = line.split("\\|");
            bytes.append(columns[0]).append(' ').append(columns[1]).append('\n');
            objects.append(columns[0]).append(' ').append(columns[2]).append('\n');
        }
        return new AllocationProfile(bytes.toString(), objects.toString(), 10);
    }

    @Test
    public void joinsTheStacksOfASite() {
        AllocationProfile found = profile(TEST + "app/A.f:3;java/lang/Long.valueOf:7;java.lang.Long|240|10",
            TEST + "app/A.f:4;java/lang/Long.valueOf:7;java.lang.Long|480|20", TEST + "app/A.f:5;byte[]|160|10");
        assertEquals(2, found.sites.size());
        AllocationSite boxes = found.sites.get(0);
        assertEquals("java.lang.Long", boxes.allocated);
        assertEquals("java/lang/Long.valueOf:7", boxes.method);
        assertEquals("the line of the larger one", "app/A.f:4", boxes.caller);
        assertEquals(72, boxes.bytes, 0);
        assertEquals(3, boxes.objects, 0);
        assertEquals(88, found.bytes, 0);
        assertEquals(4, found.objects, 0);
    }

    @Test
    public void callersInLibrariesAreNotTheOnesToName() {
        AllocationProfile found = profile(TEST + "my.ns/f:3;clojure.core/map:5;clojure/lang/Cons.cons:7;clojure.lang.Cons|320|10");
        assertEquals("my.ns/f:3", found.sites.get(0).caller);
        found = profile(TEST + "java/util/Arrays.copyOf:7;byte[]|320|10");
        assertEquals("nobody else is there", "java/util/Arrays.copyOf:7", found.sites.get(0).caller);
    }

    @Test
    public void onlyTheOperationCounts() {
        AllocationProfile found = profile("Main.main:1;hearth/AllocationProfile.start:3;byte[]|320|10", "[lost]|100|1");
        assertTrue(found.sites.isEmpty());
        assertEquals(0, found.bytes, 0);
    }

    @Test
    public void objectsWithoutTheirWholeStacksAreTold() {
        AllocationProfile found = profile("clone3;[truncated];app/A.f:3;byte[]|320|7", "[lost]|100|2",
            TEST + "app/A.f:3;byte[]|320|10", TEST + "[unknown_Java];byte[]|320|10",
            "Main.main:1;hearth/AllocationProfile.start:3;byte[]|320|10");
        assertEquals(9, found.unplaced);
        assertEquals(2, found.objects, 0);
    }
}
