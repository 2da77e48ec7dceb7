package sample

class Orders(count: Int) {
    private val prices = LongArray(count) { it * 37L % 101 }

    fun total(): Long {
        var sum = 0L
        for (price in prices) sum += price * 19 % 7
        return sum
    }
}
