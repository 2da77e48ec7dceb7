package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

public class BudgetReportTest {
    private static AllocationSite site(String method, double bytes) {
        return new AllocationSite("byte[]", method + ":1", "app/A.main:2", bytes, bytes / 16);
    }

    @Test
    public void amountsAreCountedInThousandsAndHundredths() {
        assertEquals("1,234,567", BudgetReport.amount(1_234_567));
        assertEquals("24.33", BudgetReport.amount(24.3333));
        assertEquals("x\n  bytes per operation    1,544 measured, 1,024 allowed (520 more, 51 %)",
            new BudgetReport("x").amounts("bytes", 1544, 1024).text());
        assertEquals("x\n  bytes per operation    296 measured, 295 allowed (1 more, 0.3 %)",
            new BudgetReport("x").amounts("bytes", 296, 295).text());
        assertEquals("x\n  bytes per operation    1,048,576 measured, 1 allowed (1,048,575 more)",
            new BudgetReport("x").amounts("bytes", 1 << 20, 1).text());
        assertEquals("x\n  bytes per operation    16 measured, 0 allowed (16 more)", new BudgetReport("x").amounts("bytes", 16, 0).text());
    }

    @Test
    public void theThreeSitesThatGrewMost() {
        String text = new BudgetReport("x").sites(
            Arrays.asList(site("a.a", 1600), site("b.b", 160), site("c.c", 32), site("d.d", 16), site("e.e", 48)),
            Arrays.asList(site("a.a", 1600), site("b.b", 100), site("c.c", 64))).text();
        assertEquals("x\n\n  what grew most, per operation"
            + "\n    +60 to 160 bytes, 10 objects  byte[]\n        in b.b:1\n        called by app/A.main:2"
            + "\n    new: 48 bytes, 3 objects  byte[]\n        in e.e:1\n        called by app/A.main:2"
            + "\n    new: 16 bytes, 1 object  byte[]\n        in d.d:1\n        called by app/A.main:2", text);
    }

    @Test
    public void whatAFullTableLeavesOutMayHaveBeenThere() {
        List<AllocationSite> full = new ArrayList<>();
        for (int i = 0; i < RatchetFile.MOST_SITES; i++) full.add(site("old.f" + i, 64));
        String text = new BudgetReport("x").sites(Arrays.asList(site("a.a", 64), site("b.b", 80)), full).text();
        assertTrue(text, text.contains("+16 to 80 bytes, 5 objects  byte[]"));
        assertFalse(text, text.contains("a.a"));
    }

    @Test
    public void withoutABeforeTheLargest() {
        assertEquals("x\n\n  where most of it is allocated, per operation"
            + "\n    32 bytes, 2 objects  byte[]\n        in a.a:1\n        called by app/A.main:2",
            new BudgetReport("x").sites(Collections.singletonList(site("a.a", 32)), null).text());
    }
}
