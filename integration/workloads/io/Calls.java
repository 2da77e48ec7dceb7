import java.io.BufferedReader;
import java.io.File;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/**
 * I/O of a known size and time, each time it reads "work": prints "port NAME N" at first, then "time NAME N", the
 * nanoseconds that the client waited for the server of this name, "file BYTES", and "done". Ends when it reads "end".
 * Arguments: how many replies to read from each server, the bytes of one, and the name of a file to write.
 */
public class Calls {
    static final int BLOCK = 64 * 1024, BLOCKS = 64, HANDSHAKES = 5;
    static final String HOST = "no-such-host.invalid";

    static Thread serve(ServerSocket server, int bytes, int delayMillis) {
        Thread thread = new Thread(() -> {
            byte[] reply = new byte[bytes];
            while (true) {
                try (Socket client = server.accept()) {
                    InputStream input = client.getInputStream();
                    OutputStream output = client.getOutputStream();
                    while (input.read() >= 0) {
                        Thread.sleep(delayMillis);
                        output.write(reply);
                    }
                } catch (Exception ended) {
                    if (server.isClosed()) return;
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static long ask(int port, int times, int bytes) throws Exception {
        long waited = 0;
        byte[] reply = new byte[bytes];
        new Socket("127.0.0.1", port).close(); // what waits for a connection already may not be sampled
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setTcpNoDelay(true);
            for (int i = 0; i < times; i++) {
                socket.getOutputStream().write(1);
                for (int have = 0; have < bytes;) {
                    long began = System.nanoTime();
                    have += socket.getInputStream().read(reply, have, bytes - have);
                    waited += System.nanoTime() - began;
                }
            }
        }
        return waited;
    }

    static void write(File file) throws Exception {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < BLOCKS; i++) {
                block.clear();
                channel.write(block);
            }
            channel.force(true);
        }
        Files.delete(file.toPath());
    }

    // The server begins late, so the client waits inside of the handshake.
    static void shakeHands() throws Exception {
        try (SSLServerSocket server = (SSLServerSocket) SSLContext.getDefault().getServerSocketFactory().createServerSocket(0)) {
            for (int i = 0; i < HANDSHAKES; i++) {
                Thread late = new Thread(() -> {
                    try (Socket client = server.accept()) {
                        Thread.sleep(30);
                        client.getInputStream().read();
                    } catch (Exception noCertificate) { // ends the handshake, which took its time
                    }
                });
                late.start();
                try (SSLSocket client = (SSLSocket) SSLContext.getDefault().getSocketFactory().createSocket("127.0.0.1", server.getLocalPort())) {
                    client.startHandshake();
                } catch (Exception refused) { // the server has no certificate
                }
                late.join();
            }
        }
    }

    static ServerSocket listen() throws Exception {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress("127.0.0.1", 0));
        return server;
    }

    public static void main(String[] arguments) throws Exception {
        int times = Integer.parseInt(arguments[0]), bytes = Integer.parseInt(arguments[1]);
        File file = new File(arguments[2]);
        ServerSocket slow = listen(), fast = listen();
        serve(slow, bytes, 5);
        serve(fast, bytes / 2, 1);
        System.out.println("port slow " + slow.getLocalPort());
        System.out.println("port fast " + fast.getLocalPort());
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        while (!"end".equals(input.readLine())) {
            System.out.println("time slow " + ask(slow.getLocalPort(), times, bytes));
            System.out.println("time fast " + ask(fast.getLocalPort(), times, bytes / 2));
            write(file);
            try {
                InetAddress.getByName(HOST);
            } catch (UnknownHostException expected) {
            }
            shakeHands();
            System.out.println("done");
        }
    }
}
