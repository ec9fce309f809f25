import { levelsOf } from '#features/office/agents/server-levels.ts'
import type { Verb } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { partnerDesk as contract } from './contract.ts'
import { findPartner } from './server-details.ts'
import { listPartners } from './server-list.ts'
import { addPaper, listNotes, listPapers, removePaper, writeNote } from './server-notes.ts'
import { listPeople, listSignIns } from './server-people.ts'
import { listTree } from './server-tree.ts'

const listLevels: Verb<typeof contract.levels> = async ctx => ({ rows: await levelsOf(ctx) })

export const partnerDeskRouter = serve(contract, {
  list: listPartners,
  levels: listLevels,
  details: findPartner,
  people: listPeople,
  signIns: listSignIns,
  notes: listNotes,
  writeNote,
  papers: listPapers,
  addPaper,
  removePaper,
  tree: listTree,
})
