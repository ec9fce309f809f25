import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { look } from '#web/controls/look.ts'
import { FormFields } from '#web/form/FormFields.tsx'
import { ConfirmBar, useTool } from './ConfirmBar.tsx'
import type { aftersales } from './contract.ts'
import { ADJUSTMENT } from './fields.ts'
import { refuseVersion, TOOL_REFUSALS, type ToolRefusal } from './rules.ts'
import { ChangeTable, Notes, type Shop, ShopSearch } from './ToolPage.tsx'
import styles from './tools.module.css'

const toolsApi = api<typeof aftersales>('aftersales')

type Target = Out<typeof aftersales.versionFind>['targets'][number]

/** Changes the version of a shop along the adjustments that the reference data allows. */
export function AdjustVersion() {
  const [{ version = '' }, ask] = usePageSearch<'/admin/tool/merchantsToAdjust'>()
  const search = String(version)
  const found = useQuery({
    ...toolsApi.versionFind.query({ search }),
    enabled: search !== '',
  })
  return (
    <section className={styles.toolSection} aria-labelledby="adjust-version">
      <h2 id="adjust-version" className={look.sectionTitle}>
        版本调整
      </h2>
      <ShopSearch value={search} onSearch={found => ask({ version: found })} query={found}>
        {(shop, { targets }) => <VersionForm shop={shop} targets={targets} />}
      </ShopSearch>
    </section>
  )
}

function VersionForm({ shop, targets }: { shop: Shop; targets: Target[] }) {
  const nameOf = (id: number | null) => targets.find(target => target.id === id)?.name
  const form = useTool({
    of: ADJUSTMENT,
    known: { versionId: targets.length === 1 ? (targets[0]?.id ?? null) : null },
    refuse: ({ versionId }) => {
      const code = refuseVersion(shop, targets, versionId)
      return code && { field: 'versionId', message: TOOL_REFUSALS[code] }
    },
    question: ({ versionId }) => ({
      title: `把「${shop.shopName}」调整为${nameOf(versionId)}？`,
      text: `商户 ID ${shop.id}，现为${shop.versionName}。`,
      confirmText: '确认调整',
    }),
    send: ({ versionId, reason }) =>
      toolsApi.adjustVersion({ id: shop.id, revision: shop.revision, versionId: versionId ?? 0, reason }),
    doneText: '调整成功',
  })
  const { versionId } = form.draft
  const code = refuseVersion(shop, targets, versionId)
  // A missing choice is asked for at the button, the others cannot be mended here.
  const refusal: ToolRefusal | null = code === 'VERSION_REQUIRED' ? null : code
  return (
    <ConfirmBar form={form} submitText="调整版本" refusal={refusal}>
      {targets.length > 0 && (
        <>
          <div className={styles.toolField}>
            <FormFields form={form} only={['versionId']}>
              {{
                versionId: control => (
                  <select
                    {...control}
                    className={look.select}
                    value={versionId ?? ''}
                    onChange={({ target: { value } }) =>
                      form.change({ versionId: value === '' ? null : Number(value) })
                    }
                  >
                    <option value="">请选择</option>
                    {targets.map(target => (
                      <option key={target.id} value={target.id}>
                        {target.name}
                      </option>
                    ))}
                  </select>
                ),
              }}
            </FormFields>
          </div>
          <ChangeTable
            title="调整预览"
            rows={[{ name: '软件版本', before: shop.versionName, after: nameOf(versionId) ?? '—' }]}
          />
          <Notes notes={['到期时间和店铺数不变，不产生费用', '调整后，该商户此前的版本订单不能再撤销']} />
        </>
      )}
    </ConfirmBar>
  )
}
