// In npm test: test/e2e/house/pages.e2e.ts, web/form/Dialog.test.tsx, web/form/Form.test.tsx.
import { testLayers } from '../layers.ts'

testLayers('10001')
