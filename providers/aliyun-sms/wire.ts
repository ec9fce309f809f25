// Owns how Aliyun's Dysmsapi writes its times, in Asia/Shanghai. Must never decide what an answer means; that is client.ts.

/** ISO text of the service's `2017-01-01 00:00:00`, or null. */
export function readTime(text: unknown): string | null {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null
  const instant = new Date(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString()
}
