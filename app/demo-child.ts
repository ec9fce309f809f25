// The program that makes the demo's data, for app/demo-made.ts.
import { makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { createDemoData } from './demo.ts'
import type { DemoOrder } from './demo-made.ts'

/** Waits for its order from the program that started it, and ends with the data or with that program. */
export function runDemoChild(): void {
  process.once('disconnect', () => process.exit(1))
  process.once('message', order => {
    make(order as DemoOrder).then(
      made => process.send?.(made, () => process.exit(0)),
      error => {
        process.stderr.write(`demo: ${error instanceof Error ? error.stack : String(error)}\n`)
        process.exit(1)
      },
    )
  })
}

async function make({ env, ownerUrl, secretKey }: DemoOrder): Promise<boolean> {
  const storage = openStorage(env)
  try {
    return await createDemoData(ownerUrl, {
      filesAt: { storage, secrets: makeSecrets(secretKey, env.fieldKeys) },
    })
  } finally {
    storage.close()
  }
}
