// The program that makes the demo's data, run from its sources by server/children.ts; the built server is its own.
import './quick-loading.ts'

const { runDemoChild } = await import('#app/demo-child.ts')
runDemoChild()
