package sample;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class InvoicesTest {
    @Test
    public void addsCheckDigits() {
        long sum = 0;
        for (int round = 0; round < 20; round++) sum += Invoices.checkDigits(1_000_000);
        assertTrue(sum > 0);
    }
}
