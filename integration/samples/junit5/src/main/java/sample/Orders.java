package sample;

public final class Orders {
    private final long[] prices;

    public Orders(int count) {
        prices = new long[count];
        for (int i = 0; i < count; i++) prices[i] = i * 37L % 101;
    }

    public long total() {
        long sum = 0;
        for (long price : prices) sum += price * 19 % 7;
        return sum;
    }

    public long[] copy() {
        return prices.clone();
    }
}
