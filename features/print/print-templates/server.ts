// The verbs of the templates of one kind, which each kind serves behind its own contract: see README.md.
import type { Verbs } from '#server/serve.ts'
import type { TemplateOps } from './contract-of-kind.ts'
import { copyTemplate, removeTemplate, saveDraft, undeleteTemplate } from './server-draft.ts'
import { readUsage } from './server-live.ts'
import { checkDraft, findShops, publish, restoreVersion, widen, withdraw } from './server-publish.ts'
import { listIndustries, listTemplates, readHistory, readTemplate } from './server-read.ts'
import { type Setup, type TemplateSetup, templateOf } from './server-rows.ts'

/** `serve(contract, { ...templateVerbs(setup), … })`, where the contract has `...templateOps(setup.kind, schema)`. */
export function templateVerbs<C>(setupOfKind: TemplateSetup<C>): Verbs<TemplateOps<C>> {
  const setup = setupOfKind as Setup
  const verbs: Verbs<TemplateOps> = {
    list: (ctx, input) => listTemplates(ctx, setup, input),
    details: (ctx, { id }) => readTemplate(ctx, setup, id),
    industries: listIndustries,
    save: (ctx, input) => saveDraft(ctx, setup, input),
    copy: (ctx, { id }) => copyTemplate(ctx, setup, id),
    remove: (ctx, input) => removeTemplate(ctx, setup, input),
    undelete: (ctx, { id }) => undeleteTemplate(ctx, setup, id),
    check: (ctx, { id }) => checkDraft(ctx, setup, id),
    publish: (ctx, input) => publish(ctx, setup, input),
    widen: (ctx, input) => widen(ctx, setup, input),
    withdraw: (ctx, input) => withdraw(ctx, setup, input),
    history: (ctx, { id }) => readHistory(ctx, setup, id),
    restoreVersion: (ctx, input) => restoreVersion(ctx, setup, input),
    async usage(ctx, input) {
      await templateOf(ctx, setup.kind, input.id)
      return readUsage(ctx, input)
    },
    shops: (ctx, { search }) => findShops(ctx, search),
  }
  return verbs as unknown as Verbs<TemplateOps<C>>
}
