import assert from 'node:assert/strict'
import test from 'node:test'
import { joinFigures, labeller } from './metrics.ts'

const figure = (name: string, ...lines: string[]) =>
  [`# HELP ${name} What it is`, `# TYPE ${name} gauge`, ...lines].join('\n')

test('figures that several processes tell stand once, with the lines of each', () => {
  const one = `${figure('lag', 'lag{process="1"} 1')}\n\n${figure('seen', 'seen{process="1"} 2')}\n`
  const two = `${figure('lag', 'lag{process="2"} 3')}\n\n${figure('held')}\n`
  assert.equal(
    joinFigures([one, two]),
    `${[figure('lag', 'lag{process="1"} 1', 'lag{process="2"} 3'), figure('seen', 'seen{process="1"} 2'), figure('held')].join('\n\n')}\n`,
  )
})

test('a process that told nothing in time is left out', () => {
  assert.equal(joinFigures(['', `${figure('lag', 'lag 1')}\n`]), `${figure('lag', 'lag 1')}\n`)
})

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
