/** Programs started from the JVM, as java.lang.Process does it. */
final class Processes implements Soak.Activity {
    @Override
    public void round() throws Exception {
        Process process = new ProcessBuilder("/bin/sh", "-c", "exit 5").start();
        Soak.check(process.waitFor() == 5, "the program's status");
        Thread.sleep(20);
    }
}
