package sample;

/** Adds up the digits of many numbers, which takes a while. */
public final class Invoices {
    private Invoices() {}

    /** Sum of the check digits of the first {@code count} numbers. */
    public static long checkDigits(int count) {
        long sum = 0;
        for (int number = 0; number < count; number++) sum += checkDigit(number);
        return sum;
    }

    static int checkDigit(int number) {
        int sum = 0;
        for (char digit : Integer.toString(number).toCharArray()) sum += 7 * (digit - '0');
        return sum % 10;
    }
}
