package telemetry

import (
	"context"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/labstack/echo/v5"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// StartTracing sends spans to the OpenTelemetry collector at a base URL; "" for none. stop flushes them.
// Source: opentelemetry.io/docs/specs/otel/protocol/exporter, "Endpoint URLs for OTLP/HTTP".
func StartTracing(ctx context.Context, endpoint string) (stop func(context.Context) error, err error) {
	if endpoint == "" {
		return func(context.Context) error { return nil }, nil
	}
	traces, err := url.JoinPath(endpoint, "v1/traces")
	if err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(traces))
	if err != nil {
		return nil, err
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "hiresure-site"), attribute.String("service.version", Version()))))
	otel.SetTracerProvider(provider)
	otel.SetTextMapPropagator(propagation.TraceContext{})
	return provider.Shutdown, nil
}

// TraceRequests records a span for each request.
func TraceRequests(next echo.HandlerFunc) echo.HandlerFunc {
	tracer := otel.Tracer("hiresure/site")
	return func(c *echo.Context) error {
		r, route := c.Request(), c.Path()
		ctx := otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := tracer.Start(ctx, strings.TrimSpace(r.Method+" "+route), trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		c.SetRequest(r.WithContext(ctx))
		err := next(c) // nil: session.Manager has handled errors
		status := http.StatusOK
		if response, _ := echo.UnwrapResponse(c.Response()); response != nil {
			status = response.Status
		}
		span.SetAttributes(attribute.String("http.request.method", r.Method), attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		return err
	}
}

func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
