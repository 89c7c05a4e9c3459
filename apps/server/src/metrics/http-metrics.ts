import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from './registry.ts';

export const httpDuration = new Histogram({
  name: 'pahatid_http_request_duration_seconds',
  help: 'Time from the request line to the last byte of the answer.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [registry],
});

export const httpUnderWay = new Gauge({
  name: 'pahatid_http_requests_under_way',
  help: 'Requests to the API that are not answered yet, event streams left out.',
  registers: [registry],
});

export const httpStreams = new Gauge({
  name: 'pahatid_http_event_streams',
  help: 'Event streams that are open.',
  registers: [registry],
});

export const httpShed = new Counter({
  name: 'pahatid_http_requests_shed_total',
  help: 'Requests answered with 503 at once, because taking them would only have made all wait longer.',
  labelNames: ['reason'],
  registers: [registry],
});
