// Prints what Grafana's jfr-parser finds in a recording: "grafana TYPE COUNT SUM".
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/grafana/jfr-parser/parser"
	"github.com/grafana/jfr-parser/parser/types"
)

type sum struct{ count, value uint64 }

func main() {
	sums, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for name, one := range sums {
		fmt.Println("grafana", name, one.count, one.value)
	}
}

func read(file string) (map[string]*sum, error) {
	bytes, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	sums := map[string]*sum{}
	for reader := parser.NewParser(bytes, parser.Options{}); ; {
		number, err := reader.ParseEvent()
		if errors.Is(err, io.EOF) {
			return sums, nil
		}
		if err != nil {
			return nil, err
		}
		var stack types.StackTraceRef
		var value uint64
		var name string
		switch number {
		case reader.TypeMap.T_EXECUTION_SAMPLE:
			name, stack, value = "jdk.ExecutionSample", reader.ExecutionSample.StackTrace, 1
		case reader.TypeMap.T_WALL_CLOCK_SAMPLE:
			name, stack, value = "profiler.WallClockSample", reader.WallClockSample.StackTrace, uint64(reader.WallClockSample.Samples)
		case reader.TypeMap.T_ALLOC_IN_NEW_TLAB:
			one := reader.ObjectAllocationInNewTLAB
			name, stack, value = "jdk.ObjectAllocationInNewTLAB", one.StackTrace, one.TlabSize
		case reader.TypeMap.T_MONITOR_ENTER:
			name, stack, value = "jdk.JavaMonitorEnter", reader.JavaMonitorEnter.StackTrace, reader.JavaMonitorEnter.Duration
		case reader.TypeMap.T_THREAD_PARK:
			name, stack, value = "jdk.ThreadPark", reader.ThreadPark.StackTrace, reader.ThreadPark.Duration
		case reader.TypeMap.T_LIVE_OBJECT:
			name, stack, value = "profiler.LiveObject", reader.LiveObject.StackTrace, reader.LiveObject.AllocationSize
		default:
			continue
		}
		if reader.GetStacktrace(stack) == nil {
			return nil, fmt.Errorf("no stack %d of %s", stack, name)
		}
		one, isKnown := sums[name]
		if !isKnown {
			one = &sum{}
			sums[name] = one
		}
		one.count++
		one.value += value
	}
}
