import { serve } from '#server/serve.ts'
import { demands as contract } from './contract.ts'
import { change, remove, restore } from './server-change.ts'
import { findDemands, readDetails, readFeedback, readOptions, readShop } from './server-details.ts'
import { addFile, removeFile } from './server-files.ts'
import { addSource, relate, removeSource } from './server-links.ts'
import { countStatuses, listDemands, readBoard } from './server-list.ts'
import { merge, unmerge } from './server-merge.ts'
import { save } from './server-save.ts'
import { comment, listEvents, setSubscribed } from './server-talk.ts'
import { copyPictures, readThread } from './server-threads.ts'

export const demandsRouter = serve(contract, {
  list: listDemands,
  counts: countStatuses,
  board: readBoard,
  options: readOptions,
  shop: readShop,
  feedback: readFeedback,
  thread: readThread,
  copyPictures,
  find: findDemands,
  details: readDetails,
  save,
  change,
  remove,
  restore,
  events: listEvents,
  comment,
  subscribe: setSubscribed,
  merge,
  unmerge,
  relate,
  addSource,
  removeSource,
  addFile,
  removeFile,
})
