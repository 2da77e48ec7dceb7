package hearth;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Passes tasks to another executor with the labels of the submitting thread. Actions of Clojure's agents get none: a
 * busy agent's action is submitted by the thread that ended the one before (clojure.lang.Agent$Action, doRun).
 */
final class LabelledExecutor implements ExecutorService {
    private final ExecutorService executor;

    LabelledExecutor(ExecutorService executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable work) {
        Labels labels = work.getClass().getName().equals("clojure.lang.Agent$Action") ? Labels.NONE : Labels.current();
        executor.execute(labels.under(work));
    }

    @Override
    public Future<?> submit(Runnable work) {
        return executor.submit(Labels.wrap(work));
    }

    @Override
    public <T> Future<T> submit(Runnable work, T result) {
        return executor.submit(Labels.wrap(work), result);
    }

    @Override
    public <T> Future<T> submit(Callable<T> work) {
        return executor.submit(Labels.wrap(work));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> all) throws InterruptedException {
        return executor.invokeAll(wrapped(all));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> all, long timeout, TimeUnit unit)
            throws InterruptedException {
        return executor.invokeAll(wrapped(all), timeout, unit);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> any) throws InterruptedException, ExecutionException {
        return executor.invokeAny(wrapped(any));
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> any, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return executor.invokeAny(wrapped(any), timeout, unit);
    }

    @Override
    public void shutdown() {
        executor.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return executor.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return executor.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return executor.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitTermination(timeout, unit);
    }

    @Override
    public String toString() {
        return "labelled " + executor;
    }

    private static <T> List<Callable<T>> wrapped(Collection<? extends Callable<T>> all) {
        List<Callable<T>> wrapped = new ArrayList<>(all.size());
        for (Callable<T> one : all) wrapped.add(Labels.wrap(one));
        return wrapped;
    }
}
