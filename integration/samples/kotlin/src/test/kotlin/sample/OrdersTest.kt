package sample

import hearth.junit.Profiled
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

class OrdersTest {
    private val orders = Orders(10_000)

    @Test
    @Profiled(interval = "1ms")
    fun sumsOrders() {
        val first = orders.total()
        val end = System.nanoTime() + 1_000_000_000L
        while (System.nanoTime() < end) assertEquals(first, orders.total())
    }
}
