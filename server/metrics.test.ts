import assert from 'node:assert/strict'
import test from 'node:test'
import { labeller } from './metrics.ts'

test('an address is counted under the route that says most of it, and what is none under few words', () => {
  const labelOf = labeller([
    '/api/merchants',
    '/api/merchants/{id}',
    '/api/merchants/export.xlsx',
    '/api/merchants/{id}/remark',
    '/callbacks/{name}/{order}',
  ])
  const cases: [string, string][] = [
    ['/api/merchants?page=2', '/api/merchants'],
    ['/api/merchants/export.xlsx?columns=id', '/api/merchants/export.xlsx'],
    ['/api/merchants/17', '/api/merchants/{id}'],
    ['/api/merchants/17/remark', '/api/merchants/{id}/remark'],
    ['/callbacks/wechat/1', '/callbacks/{name}/{order}'],
    ['/api/merchants/', 'other'],
    ['/api/merchants/17/other', 'other'],
    ['/admin/index', 'page'],
    ['/', 'page'],
    ['/healthz', '/healthz'],
  ]
  for (const [url, label] of cases) assert.equal(labelOf(url), label, url)
})
