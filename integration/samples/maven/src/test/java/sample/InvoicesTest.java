package sample;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class InvoicesTest {
    @Test
    void addsCheckDigits() {
        long sum = 0;
        for (int round = 0; round < 20; round++) sum += Invoices.checkDigits(1_000_000);
        assertTrue(sum > 0);
    }
}
