// What no form sends: values made from the schema of each operation, near what is known to be good and far from it, sent by the operator, who
// may most, and by a partner. None is answered with 500.
import fc from 'fast-check'
import { z } from 'zod'
import { contract, downloads } from '#app/joined.ts'
import { listOps } from '#kit/declare/op.ts'
import { type Office, openOffice } from '#test/app.ts'
import { changesOf, makeDesk } from '#test/desk.ts'
import { makeMerchant } from '#test/make.ts'
import { objects, type Schema } from '#test/schema-values.ts'
import { call, everyOperation, type Walked } from '#test/walk.ts'
import type { Change, Desk } from '#test/walk-types.ts'
import { WALKS } from '#test/walks.ts'
import { isBroken, type Report } from './report.ts'

const SEED = 20_261_130
const TRIES = 8

type Input = Record<string, unknown>
type Scene = { office: Office; desk: Desk; changes: Record<string, Change>; named: Record<string, Input> }

export async function attackShapes(report: Report): Promise<void> {
  const office = await openOffice()
  try {
    let scene = await sceneOf(office)
    const schemas = new Map([
      ...listOps(contract).map(({ name, op }) => [name, op['~orpc'].inputSchema] as const),
      ...Object.entries(downloads).flatMap(([feature, ofFeature]) =>
        Object.entries(ofFeature).map(
          ([key, { download }]) => [`${feature}.${key} (file)`, download.input] as const,
        ),
      ),
    ])
    for (const [nth, operation] of everyOperation().entries()) {
      if (report.isOver()) return report.breach(`left out from ${operation.name} on: the time is over`)
      const schema = schemas.get(operation.name)
      if (!(schema instanceof z.ZodType)) continue
      const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
      const known = await knownOf(scene, operation)
      report.count('operations')
      const cookies = [scene.desk.operatorCookie, scene.desk.partnerCookie]
      const inputs = fc.sample(objects(shape, known), { numRuns: TRIES, seed: SEED + nth })
      for (const [at, made] of inputs.entries()) {
        const input = asSent(operation, made)
        const { status, code } = await call(office.app, cookies[at % 2] as string, operation, input)
        report.count('calls')
        if (status < 400) report.count('accepted')
        if (isBroken(status, code))
          report.breach(`${operation.name} answered ${status} to ${JSON.stringify(input)}`)
      }
      // What was accepted may have ended a session.
      if (!(await isSignedIn(scene))) scene = await sceneOf(office)
    }
    await office.verifyLedger()
  } finally {
    await office.stop()
  }
}

/** An address holds no half of a sign; a body may. */
function asSent({ method, path }: Walked, made: Input): Input {
  const text = JSON.stringify(made)
  const isAddressed = method === 'GET' || path.includes('{')
  return JSON.parse(isAddressed ? text.replaceAll(/\\ud[0-9a-f]{3}/g, '?') : text)
}

async function sceneOf(office: Office): Promise<Scene> {
  const desk = await makeDesk(office)
  const named: Record<string, Input> = {}
  for (const walk of WALKS)
    for (const [name, input] of Object.entries(walk.reads?.(desk) ?? {})) named[name] = await input()
  return { office, desk, changes: changesOf(desk), named }
}

async function knownOf({ office, desk, changes, named }: Scene, { name }: Walked): Promise<Input> {
  const change = changes[name]
  if (change) return (await change.accepted()).input
  if (named[name]) return named[name]
  const id = await makeMerchant(office, desk.partner.id)
  return { id, merchantId: id, search: '测试' }
}

async function isSignedIn({ office, desk }: Scene): Promise<boolean> {
  const current = { method: 'GET', path: '/session' }
  for (const cookie of [desk.operatorCookie, desk.partnerCookie])
    if ((await call(office.app, cookie, current)).status !== 200) return false
  return true
}
