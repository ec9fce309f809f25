import { serve } from '#server/serve.ts'
import { ownerPapers as contract } from './contract.ts'
import { adopt, callOff, details, makeLink, ofShop, see, sendBack, sendLink } from './server-desk.ts'
import { enter, readPage, save, sendCode, submit } from './server-guests.ts'
import { keepPicture, read, sendPart } from './server-pictures.ts'

export const ownerPapersRouter = serve(contract, {
  ...{ ofShop, details, makeLink, sendLink, callOff, see, sendBack, adopt },
  ...{ page: readPage, sendCode, enter, save, sendPart, keepPicture, read, submit },
})
