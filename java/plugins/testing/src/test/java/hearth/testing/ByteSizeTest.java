package hearth.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ByteSizeTest {
    @Test
    void readsUnitsOf1024() {
        assertEquals(0, ByteSize.parse("0"));
        assertEquals(296, ByteSize.parse(" 296 "));
        assertEquals(296, ByteSize.parse("296 bytes"));
        assertEquals(1536, ByteSize.parse("1.5k"));
        assertEquals(2048, ByteSize.parse("2KiB"));
        assertEquals(2 << 20, ByteSize.parse("2MB"));
        assertEquals(3L << 30, ByteSize.parse("3 g"));
    }

    @Test
    void leavesOutPartsOfAByte() {
        assertEquals(102, ByteSize.parse("0.1k"));
    }

    @Test
    void refusesWhatIsNoAmount() {
        for (String text : new String[] {"", "-1", "2TB", "two", "1,024", "1 2"}) {
            IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> ByteSize.parse(text), text);
            assertTrue(error.getMessage().contains("\"" + text + "\""), error.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> ByteSize.parse("9999999999g"));
    }
}
