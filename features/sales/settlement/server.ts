import { serve } from '#server/serve.ts'
import { settlement as contract } from './contract.ts'
import { approveUndo, listUndoRequests, rejectUndo, requestPreview } from './server-approval.ts'
import { listBills } from './server-bills.ts'
import { setUndoSettings, undoSettings } from './server-pending.ts'
import { findStatement } from './server-statement.ts'
import { allocate, listSubAgents } from './server-sub-agents.ts'
import { undo, undoPreview } from './server-undo.ts'

export const settlementRouter = serve(contract, {
  bills: listBills,
  undoPreview,
  undo,
  undoRequests: listUndoRequests,
  requestPreview,
  approveUndo,
  rejectUndo,
  undoSettings,
  setUndoSettings,
  statement: findStatement,
  subAgents: listSubAgents,
  allocate,
})
