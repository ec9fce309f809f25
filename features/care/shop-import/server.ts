import { serve } from '#server/serve.ts'
import { shopImport as contract } from './contract.ts'
import { askRollBack, decideRollBack, rollBack } from './server-approval.ts'
import { findDetails } from './server-details.ts'
import { editRow, fixAll, mapColumns, setUp, skipFaulty } from './server-edit.ts'
import { listImports, listRows } from './server-list.ts'
import { drop, mark, rehearse, resume, start, stop } from './server-start.ts'
import { uploadImport } from './server-upload.ts'

export const shopImportRouter = serve(contract, {
  list: listImports,
  upload: uploadImport,
  details: findDetails,
  rows: listRows,
  map: mapColumns,
  setUp,
  editRow,
  fix: fixAll,
  skipFaulty,
  rehearse,
  start,
  stop,
  resume,
  rollBack,
  askRollBack,
  decideRollBack,
  drop,
  mark,
})
