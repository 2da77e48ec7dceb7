import hearth.AllocationBudget;
import org.junit.Test;

public class JUnit4Budgets {
    @Test
    public void keeps() {
        AllocationBudget.of("ten boxes").bytes(296).check(() -> Boxes.of(10));
    }

    @Test
    public void resultsOfPrimitiveTypesAreNotBoxed() {
        AllocationBudget.of("a length").bytes(0).check(() -> "text".length());
        AllocationBudget.of("a share").bytes(0).check(() -> "text".length() / 3.0);
        AllocationBudget.of("a question").bytes(0).check(() -> "text".isEmpty());
        AllocationBudget.of("nothing").bytes(0).check(() -> { "text".length(); });
    }

    @Test
    public void exceeds() {
        AllocationBudget.of("ten boxes").bytes(100).check(() -> Boxes.of(10));
    }
}
