import { defineConfig, mergeConfig } from 'vitest/config'
import page from './vite.config.ts'

// Components in a document without layout or server. What needs either is a browser test.
export default mergeConfig(
  page,
  defineConfig({
    test: {
      include: ['{web,features,app}/**/*.test.tsx'],
      environment: 'happy-dom',
      environmentOptions: { happyDOM: { url: 'http://office.test/' } },
      setupFiles: ['test/components/setup.tsx'],
      css: { modules: { classNameStrategy: 'non-scoped' } },
      // The program's own state is put back by test/components/setup.tsx; loading it anew for each file takes longer than its tests.
      isolate: false,
      testTimeout: 300_000,
    },
  }),
)
