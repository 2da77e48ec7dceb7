package javax.servlet.http;

public enum MappingMatch { EXACT }
