import hearth.Labels;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests with the label endpoint=/checkout that compute, wait for a lock, for a server, and for their own work in a pool; others with another label.
 * Prints "ready" and the server's port; for each line of input but "end", the milliseconds that the parts of the requests to /checkout took so far: price,
 * reserve, pay, awaitPacked, pack.
 */
public class Checkout {
    static final Object stock = new Object();
    static final AtomicLong priced = new AtomicLong(), reserved = new AtomicLong(), paid = new AtomicLong(), awaited = new AtomicLong(), packed = new AtomicLong();
    static volatile double sum;

    static void timed(AtomicLong time, Repeating.Step step) throws Exception {
        long began = System.nanoTime();
        step.run();
        time.addAndGet(System.nanoTime() - began);
    }

    static void price() {
        for (int i = 0; i < 2_000_000; i++) sum += Math.sqrt(sum + 1);
    }

    static void reserve() { synchronized (stock) { sum++; } }

    static void restock() { LockSupport.parkNanos(20_000_000); }

    static void pay(Socket bank) throws IOException {
        bank.getOutputStream().write(1);
        if (bank.getInputStream().read() != 2) throw new IOException("no money");
    }

    static void pack() {
        for (int i = 0; i < 1_000_000; i++) sum += Math.sqrt(sum + 1);
    }

    static void deliver(CompletableFuture<String> parcel) {
        try {
            timed(packed, Checkout::pack);
        } catch (Exception e) { throw new IllegalStateException(e); }
        parcel.complete("packed");
    }

    static void awaitPacked(CompletableFuture<String> parcel) throws Exception { parcel.get(); }

    static void checkOut(Socket bank, Executor pool) throws Exception {
        timed(priced, Checkout::price);
        timed(reserved, Checkout::reserve);
        timed(paid, () -> pay(bank));
        CompletableFuture<String> parcel = new CompletableFuture<>();
        pool.execute(() -> deliver(parcel));
        timed(awaited, () -> awaitPacked(parcel));
    }

    static void answer(Socket client) throws IOException {
        client.getInputStream().read();
        LockSupport.parkNanos(15_000_000);
        client.getOutputStream().write(2);
    }

    public static void main(String[] arguments) throws Exception {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket bank = new Socket(server.getInetAddress(), server.getLocalPort());
        bank.setTcpNoDelay(true);
        Socket client = server.accept();
        client.setTcpNoDelay(true);
        ExecutorService threads = Executors.newFixedThreadPool(1, task -> {
            Thread thread = new Thread(task, "packer");
            thread.setDaemon(true);
            return thread;
        });
        Executor pool = Labels.wrap(threads);
        Repeating.start("bank", () -> answer(client));
        Repeating.start("clerk", () -> {
            synchronized (stock) { restock(); }
            LockSupport.parkNanos(5_000_000);
        });
        Repeating.start("http-1", () -> {
            try (Labels.Scope scope = Labels.of("endpoint", "/checkout").open()) { checkOut(bank, pool); }
        });
        Repeating.start("http-2", () -> {
            try (Labels.Scope scope = Labels.of("endpoint", "/stock").open()) { reserve(); }
            LockSupport.parkNanos(3_000_000);
        });
        System.out.println("ready " + server.getLocalPort());
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        while (!"end".equals(input.readLine())) {
            StringBuilder line = new StringBuilder("parts");
            for (AtomicLong part : new AtomicLong[] {priced, reserved, paid, awaited, packed}) line.append(' ').append(part.get() / 1_000_000);
            System.out.println(line);
        }
    }
}
