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
        assertEquals("x\n\n  sites that grew most, per operation"
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
    public void numbersThatCompilersGiveAreNoDifference() {
        String[] before = {"a/B.lambda$main$0", "a/B.lambda$main$7f6d5e65$1", "a/B$$Lambda$14/0x0000000800c03000.add", "a/B$1.run",
            "a/B.access$000", "my.ns/f/fn--123", "user/eval123", "my.ns$f$fn__123.invoke"};
        String[] now = {"a/B.lambda$main$1", "a/B.lambda$main$abcdef$2", "a/B$$Lambda/0x00007f.add", "a/B$2.run",
            "a/B.access$100", "my.ns/f/fn--456", "user/eval9", "my.ns$f$fn__9.invoke"};
        for (int i = 0; i < now.length; i++) {
            assertEquals("x\n\n  no site allocates more than before", new BudgetReport("x").sites(
                Collections.singletonList(site(now[i], 64)), Collections.singletonList(site(before[i], 64))).text());
        }
        String methods = new BudgetReport("x").sites(Collections.singletonList(site("a/B$$Lambda$14.add", 64)),
            Collections.singletonList(site("a/B$$Lambda$14.dec", 64))).text();
        assertTrue(methods, methods.contains("new: 64 bytes"));
        String other = new BudgetReport("x").sites(Collections.singletonList(site("a/B.lambda$run$0", 64)),
            Collections.singletonList(site("a/B.lambda$main$0", 64))).text();
        assertTrue(other, other.contains("new: 64 bytes"));
    }

    @Test
    public void ofSitesThatAreAlikeTheOneThatGrewIsShown() {
        String text = new BudgetReport("x").sites(
            Arrays.asList(site("a.lambda$main$0", 32), site("a.lambda$main$1", 1600), site("a.lambda$main$2", 96)),
            Arrays.asList(site("a.lambda$main$0", 1600), site("a.lambda$main$1", 80))).text();
        assertTrue(text, text.contains("sites that grew most, per operation\n    +48 to 128 bytes, 8 objects  byte[]\n        in a.lambda$main$2:1"));
        text = new BudgetReport("x").sites(Arrays.asList(site("a.f$0", 64), site("a.f$1", 64)),
            Arrays.asList(site("a.f$0", 64), site("a.f$1", 48))).text();
        assertTrue(text, text.contains("+16 to 64 bytes, 4 objects  byte[]\n        in a.f$1:1"));
    }

    @Test
    public void anObjectNowAndThenIsNotNone() {
        String text = new BudgetReport("x").sites(Arrays.asList(new AllocationSite("byte[]", "a", "a", 120, 0.001),
            new AllocationSite("A", "a", "a", 24, 1.001)), null).text();
        assertTrue(text, text.contains("120 bytes, less than 0.01 objects  byte[]"));
        assertTrue(text, text.contains("24 bytes, 1 object  A"));
    }

    @Test
    public void eachNameHasAPageOfItsOwn() {
        assertEquals("decode-tweet_1.5.html", BudgetEvidence.pageOf("decode-tweet_1.5"));
        assertTrue(BudgetEvidence.pageOf("decode tweet").matches("decode-tweet-[0-9a-f]+\\.html"));
        List<String> pages = new ArrayList<>();
        StringBuilder longName = new StringBuilder();
        for (int i = 0; i < 100; i++) longName.append('x');
        for (String name : new String[] {"a-b", "a b", "a/b", "(a b)", "../a-b", "..", longName.toString(), longName + "y"}) {
            String page = BudgetEvidence.pageOf(name);
            assertFalse(page, pages.contains(page) || page.contains("/") || page.startsWith(".") || page.length() > 80);
            pages.add(page);
        }
    }

    @Test
    public void withoutABeforeTheLargest() {
        assertEquals("x\n\n  largest sites, per operation"
            + "\n    32 bytes, 2 objects  byte[]\n        in a.a:1\n        called by app/A.main:2",
            new BudgetReport("x").sites(Collections.singletonList(site("a.a", 32)), null).text());
    }
}
