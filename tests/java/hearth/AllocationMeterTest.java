package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class AllocationMeterTest {
    private static volatile Object sink;
    private int calls;

    @Test
    public void roundsAgreeWithinTheTolerance() {
        assertTrue(AllocationMeter.agree(new long[] {10_000, 10_100}, 1, 1));
        assertFalse(AllocationMeter.agree(new long[] {10_000, 10_101}, 1, 1));
        assertTrue(AllocationMeter.agree(new long[] {10_000, 10_000}, 1, 0));
        assertTrue("half a byte an operation is nothing", AllocationMeter.agree(new long[] {0, 500}, 1000, 1));
        assertFalse(AllocationMeter.agree(new long[] {0, 501}, 1000, 1));
    }

    @Test
    public void countsToTheByte() throws Exception {
        AllocationMeter meter = new AllocationMeter();
        assertEquals(0, meter.measure(() -> calls++, 0, 100).least, 0);
        assertEquals(1040, meter.measure(() -> sink = new byte[1024], 0, 100).least, 8);
    }

    @Test
    public void amountsThatGoUpAllTheTimeAreGivenUpSoon() throws Exception {
        long[] now = {0};
        AllocationMeter slow = new AllocationMeter(() -> now[0] += 100_000_000L); // so that a round is one operation
        AllocationMeter.Result result = slow.measure(() -> sink = new byte[calls++ * 1024], 0, 1000);
        assertFalse(result.settled);
        assertTrue(result.rises);
        assertEquals(AllocationMeter.RISING + 1, result.rounds);
    }

    @Test
    public void slowRoundsAreFewer() throws Exception {
        long[] now = {0};
        AllocationMeter slow = new AllocationMeter(() -> now[0]);
        AllocationBudget.Operation second = () -> {
            now[0] += 1_000_000_000L;
            sink = new byte[calls++ % 2 * 1000];
        };
        AllocationMeter.Result result = slow.measure(second, 0, 200);
        assertFalse(result.settled);
        assertFalse(result.rises);
        assertEquals("20 seconds for 200 rounds", 20, result.rounds);
        assertEquals(AllocationMeter.LEAST_ROUNDS, slow.measure(second, 0, 50).rounds);
        assertEquals(7, slow.measure(second, 0, 7).rounds);
    }

    @Test
    public void amountsThatGoUpAndDownAreGivenUp() throws Exception {
        AllocationMeter.Result result = new AllocationMeter().measure(() -> sink = new byte[calls++ / 100], 0, 9);
        assertFalse(result.settled);
        assertEquals(9, result.rounds);
        assertTrue(result.most > result.least);
    }
}
