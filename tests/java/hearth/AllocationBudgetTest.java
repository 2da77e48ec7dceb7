package hearth;

import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import org.junit.Test;

public class AllocationBudgetTest {
    @Test
    public void namesThatARatchetFileCannotHoldAreRefused() {
        for (String name : new String[] {"", " ", "a\tb", "a\nb", "# b", " # b"}) {
            try {
                AllocationBudget.of(name);
                fail("'" + name + "'");
            } catch (IllegalArgumentException refusal) {
                assertTrue(refusal.getMessage(), refusal.getMessage().startsWith("an allocation budget"));
            }
        }
        AllocationBudget.of(" #b ");
    }
}
