// The process of components.ts.
import { relative } from 'node:path'
import { startVitest, type TestCase, type TestModule } from 'vitest/node'
import { ROOT } from '#scripts/checks.ts'
import type { FileResult } from './run-files.ts'

type Failure = { message: string; stack?: string | undefined }

const inWords = ({ message, stack }: Failure) =>
  stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`

function failuresOf(test: TestCase): string[] {
  const names = test.fullName.split(' > ')
  return (test.result().errors ?? []).map(error => [...names, inWords(error)].join('\n'))
}

function resultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()]
  const having = (state: string) => tests.filter(test => test.result().state === state).length
  return {
    file: relative(ROOT, module.moduleId),
    passed: having('passed'),
    skipped: having('skipped'),
    seconds: module.diagnostic().duration / 1_000,
    failures: [...module.errors().map(inWords), ...tests.flatMap(failuresOf)],
  }
}

const vitest = await startVitest('test', process.argv.slice(2), {
  watch: false,
  root: ROOT,
  // The other workers have the processors.
  maxWorkers: 1,
  reporters: [
    {
      onTestModuleEnd: module => void process.send?.(resultOf(module)),
      onTestRunEnd: (_modules, errors) => {
        for (const error of errors)
          process.send?.({
            file: 'vitest.config.ts',
            passed: 0,
            skipped: 0,
            seconds: 0,
            failures: [inWords(error)],
          })
        // That a test failed has been told.
        process.exitCode = 0
      },
    },
  ],
})
await vitest.close()
process.exitCode = 0
