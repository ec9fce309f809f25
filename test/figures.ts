// What an office's /metrics tells, as a scraper reads it.
import { setTimeout as pause } from 'node:timers/promises'
import type { Office } from './app.ts'

/** The values of one figure, by its labels' values in the order it names them, such as `wechat accepted`. */
export async function figureOf(office: Office, name: string): Promise<Record<string, number>> {
  const { body } = await office.app.http.inject('/metrics')
  const lines = body.split('\n').filter(line => line.startsWith(`${name}{`))
  return Object.fromEntries(
    lines.map(line => {
      const labels = [...line.matchAll(/="([^"]*)"/g)].map(match => match[1])
      return [labels.join(' '), Number(line.slice(line.lastIndexOf(' ')))]
    }),
  )
}

/** Past what is remembered of the last reading. */
export async function figureLater(office: Office, name: string): Promise<Record<string, number>> {
  await pause(2_100)
  return figureOf(office, name)
}
