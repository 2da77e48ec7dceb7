import hearth.AllocationBudget;
import java.util.concurrent.Callable;

/**
 * Checks one budget: Budgets NAME COUNT [LIMIT=VALUE...]; COUNT boxes are made, or ever more when it is "more";
 * of CALLS/COUNT so deep, next to an array that makes their bytes look like nothing.
 * Prints "kept BYTES", "refused WHY", or "exceeded" and the text.
 */
public class Budgets {
    private static int made;

    public static void main(String[] arguments) throws Exception {
        try {
            AllocationBudget budget = AllocationBudget.of(arguments[0]);
            for (int i = 2; i < arguments.length; i++) limit(budget, arguments[i].split("="));
            System.out.println("kept " + budget.check(operation(arguments[1])));
        } catch (IllegalArgumentException | IllegalStateException refusal) {
            System.out.println("refused " + refusal.getMessage());
        } catch (AssertionError exceeded) {
            System.out.println("exceeded\n" + exceeded.getMessage());
        }
    }

    private static Callable<?> operation(String count) {
        if (count.equals("more")) return () -> Boxes.of(made++ / 1000);
        if (count.equals("throws")) return () -> { throw new java.io.IOException("of the operation"); };
        if (count.contains("/")) {
            String[] callsAndBoxes = count.split("/");
            int calls = Integer.parseInt(callsAndBoxes[0]);
            int deepBoxes = Integer.parseInt(callsAndBoxes[1]);
            return () -> new Object[] {new byte[1 << 20], Boxes.deep(calls, deepBoxes)};
        }
        int boxes = Integer.parseInt(count);
        return () -> Boxes.of(boxes);
    }

    private static void limit(AllocationBudget budget, String[] keyAndValue) {
        String value = keyAndValue[1];
        switch (keyAndValue[0]) {
            case "bytes": budget.bytes(Long.parseLong(value)); break;
            case "objects": budget.objects(Long.parseLong(value)); break;
            case "ratchet": budget.ratchet(value); break;
            case "tolerance": budget.tolerance(Double.parseDouble(value)); break;
            case "rounds": budget.rounds(Integer.parseInt(value)); break;
            default: throw new AssertionError(keyAndValue[0]);
        }
    }
}
