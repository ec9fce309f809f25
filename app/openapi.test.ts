// /api/openapi.json, which programs are written by.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { everyOperation } from '#test/walk.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

test('it says of every operation and file how one comes in, with which permission and which headers', async () => {
  type Described = {
    security: Record<string, unknown>[]
    'x-permission'?: string
    parameters?: { name: string; in: string; required?: boolean }[]
    responses: Record<string, { headers?: object }>
  }
  const { paths, components } = (await office.app.http.inject('/api/openapi.json')).json() as {
    paths: Record<string, Record<string, Described>>
    components: { securitySchemes: Record<string, { type: string; scheme?: string }> }
  }
  assert.equal(components.securitySchemes.apiKey?.scheme, 'bearer')
  for (const { name, path, method, permission, forKeys, stepUp, idempotent } of everyOperation()) {
    const described = paths[path]?.[method.toLowerCase()]
    assert.ok(described, `${name} is not described`)
    const ways = described.security.flatMap(way => Object.keys(way))
    const isOpen = forKeys && !stepUp
    const wanted = permission === 'public' ? [] : isOpen ? ['apiKey', 'session'] : ['session']
    assert.deepEqual(ways, wanted, name)
    if (permission.includes('.')) assert.equal(described['x-permission'], permission)
    assert.equal(Boolean(described.responses[429]?.headers), isOpen, name)
    const sent = described.parameters?.find(one => one.name === 'Idempotency-Key')
    assert.equal(sent?.required ?? false, idempotent, name)
  }
})
