package hearth;

/** This JVM for clients that must not use the rights of its process. */
final class ClientOfThisJvm implements Target {
    private final ThisJvm jvm = new ThisJvm();

    @Override
    public byte[] execute(String command) {
        Agent.checkForClient(command);
        return jvm.execute(command);
    }
}
