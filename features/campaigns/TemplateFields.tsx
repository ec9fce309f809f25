import { Select } from 'antd'
import { Labelled } from '#features/merchants/FilterControls.tsx'
import { FieldBox } from './FieldBox.tsx'
import { CAMPAIGN_LIMITS, type CampaignTemplate, type FieldRefusal, writtenVariables } from './rules.ts'
import type { Written } from './useCampaignDraft.tsx'

export type NamedTemplate = CampaignTemplate & { name: string }

type Props = {
  templates: readonly NamedTemplate[]
  written: Written
  refusal: FieldRefusal | null
  onChange: (changed: Partial<Written>) => void
}

/** The text: one of the approved templates, and what is written into it. */
export function TemplateFields({ templates, written, refusal, onChange }: Props) {
  const template = templates.find(({ key }) => key === written.templateKey)
  return (
    <div className="campaign-two">
      <FieldBox field="templateKey" refusal={refusal}>
        <Labelled label="短信模板">
          <Select
            aria-label="短信模板"
            value={written.templateKey || undefined}
            options={templates.map(({ key, name }) => ({ value: key, label: name }))}
            onChange={templateKey => onChange({ templateKey })}
            placeholder="请选择"
            status={refusal?.field === 'templateKey' ? 'error' : undefined}
          />
        </Labelled>
      </FieldBox>
      {template &&
        writtenVariables(template).map(({ name, label }) => {
          const value = written.params[name] ?? ''
          return (
            <FieldBox key={name} field={`params.${name}`} refusal={refusal}>
              <label className="campaign-label" htmlFor={`campaign-${name}`}>
                {label}
                <span className="number">
                  {value.length}/{CAMPAIGN_LIMITS.param}
                </span>
              </label>
              <input
                id={`campaign-${name}`}
                className="input"
                value={value}
                maxLength={CAMPAIGN_LIMITS.param}
                aria-invalid={refusal?.field === `params.${name}` || undefined}
                aria-required="true"
                onChange={event => onChange({ params: { ...written.params, [name]: event.target.value } })}
              />
            </FieldBox>
          )
        })}
    </div>
  )
}
