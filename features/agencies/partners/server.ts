import { serve } from '#server/serve.ts'
import { partners as contract } from './contract.ts'
import {
  accept,
  invitationLink,
  invite,
  resetLink,
  revokeInvitation,
  showInvitation,
} from './server-invitations.ts'
import { changeParent, previewParent } from './server-parent.ts'
import { choices, takeOnPartner } from './server-take-on.ts'
import { edit, resume, showTerms, suspend } from './server-terms.ts'

export const partnersRouter = serve(contract, {
  choices,
  takeOn: takeOnPartner,
  terms: showTerms,
  edit,
  previewParent,
  changeParent,
  suspend,
  resume,
  invite,
  invitationLink,
  resetLink,
  revokeInvitation,
  invitation: showInvitation,
  accept,
})
