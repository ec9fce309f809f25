import assert from 'node:assert/strict'
import test from 'node:test'
import { joinFigures } from './metrics.ts'

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
