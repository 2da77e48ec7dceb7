// An OpenTelemetry collector of its own parts, the fewest that take profiles by OTLP, tell of them and hand them on.
package main

import (
	"os"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/debugexporter"
	"go.opentelemetry.io/collector/exporter/otlphttpexporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

func parts() (parts otelcol.Factories, err error) {
	parts.Telemetry = otelconftelemetry.NewFactory()
	parts.Receivers, err = otelcol.MakeFactoryMap[receiver.Factory](otlpreceiver.NewFactory())
	if err != nil {
		return
	}
	parts.Exporters, err = otelcol.MakeFactoryMap[exporter.Factory](debugexporter.NewFactory(), otlphttpexporter.NewFactory())
	return
}

func main() {
	config := otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
		DefaultScheme:     "file",
		ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory()},
	}}
	settings := otelcol.CollectorSettings{BuildInfo: component.NewDefaultBuildInfo(), Factories: parts, ConfigProviderSettings: config}
	if otelcol.NewCommand(settings).Execute() != nil { // which says why
		os.Exit(1)
	}
}
