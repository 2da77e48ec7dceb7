package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import hearth.junit.AllocatesAtMost;
import hearth.junit.Profiled;
import org.junit.jupiter.api.Test;

class OrdersTest {
    private final Orders orders = new Orders(10_000);

    @Test
    @Profiled(interval = "1ms")
    void sumsOrders() {
        long first = orders.total();
        for (long end = System.nanoTime() + 1_000_000_000L; System.nanoTime() < end;) assertEquals(first, orders.total());
    }

    @Test
    @AllocatesAtMost("80k")
    void copiesOrders() {
        assertEquals(10_000, orders.copy().length);
    }
}
