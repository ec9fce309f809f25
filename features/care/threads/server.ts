import { serve } from '#server/serve.ts'
import { threads as contract } from './contract.ts'
import { assign, beHere, close, markRead, note, passOn, reopen, reply } from './server-answer.ts'
import {
  answerFigures,
  listAll,
  listAnswers,
  listPeople,
  listPresent,
  listThreads,
  showThread,
} from './server-rows.ts'

export const threadsRouter = serve(contract, {
  list: listThreads,
  all: listAll,
  details: showThread,
  presence: listPresent,
  answers: listAnswers,
  people: listPeople,
  figures: answerFigures,
  reply,
  note,
  close,
  reopen,
  assign,
  passOn,
  read: markRead,
  here: beHere,
})
