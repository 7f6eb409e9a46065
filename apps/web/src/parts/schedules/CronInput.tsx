import { SelectInput, TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactElement } from 'react';
import { isZone } from '../../preferences/preferences.ts';
import { cronText } from '../../text/cron.ts';
import { schedulesText as texts } from '../../text/schedules.ts';
import { toCron, type CronChoice, type CronPresetKind } from './cron-preset.ts';
import { nextTimes } from './next-times.ts';

const kinds = Object.keys(cronText.presets) as CronPresetKind[];
const two = (value: number): string => String(value).padStart(2, '0');

/** A time with its weekday, in the zone of the schedule, followed by the zone. */
const describeTime = (time: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(time);

interface CronInputProps {
  choice: CronChoice;
  timeZone: string;
  onChange: (choice: CronChoice, timeZone: string) => void;
}

/** When a schedule runs: a preset or a cron expression, its time zone, and the next times. */
export const CronInput = ({ choice, timeZone, onChange }: CronInputProps): ReactElement => {
  const { kind, minute, hour, weekday, day } = choice;
  const change = (part: Partial<CronChoice>): void => onChange({ ...choice, ...part }, timeZone);
  const hasZone = isZone(timeZone);
  const times = hasZone ? nextTimes(toCron(choice), timeZone, 3) : undefined;
  return (
    <Box>
      <Box
        sx={{
          display: 'grid',
          columnGap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' },
        }}
      >
        <SelectInput
          label={texts.repeats}
          value={kind}
          options={kinds.map((value) => ({ value, text: cronText.presets[value] }))}
          onChange={(value) =>
            change({ kind: kinds.find((one) => one === value) ?? 'daily', cron: toCron(choice) })
          }
        />
        {kind === 'weekly' && (
          <SelectInput
            label={texts.weekday}
            value={String(weekday)}
            // The week begins on Monday.
            options={[1, 2, 3, 4, 5, 6, 0].map((at) => ({
              value: String(at),
              text: cronText.weekdays[at] ?? '',
            }))}
            onChange={(value) => change({ weekday: Number(value) })}
          />
        )}
        {kind === 'monthly' && (
          <SelectInput
            label={texts.monthDay}
            value={String(day)}
            options={Array.from({ length: 31 }, (_, at) => ({ value: String(at + 1), text: String(at + 1) }))}
            onChange={(value) => change({ day: Number(value) })}
          />
        )}
        {kind === 'hourly' && (
          <SelectInput
            label={texts.minute}
            value={String(minute)}
            options={Array.from({ length: 60 }, (_, at) => ({ value: String(at), text: two(at) }))}
            onChange={(value) => change({ minute: Number(value) })}
          />
        )}
        {kind !== 'hourly' && kind !== 'custom' && (
          <TextInput
            label={texts.time}
            type="time"
            value={`${two(hour)}:${two(minute)}`}
            onChange={(event) => {
              const [, typedHour, typedMinute] = /^(\d\d):(\d\d)/.exec(event.target.value) ?? [];
              if (typedHour !== undefined && typedMinute !== undefined)
                change({ hour: Number(typedHour), minute: Number(typedMinute) });
            }}
          />
        )}
        <TextInput
          label={texts.zone}
          value={timeZone}
          problem={hasZone ? undefined : texts.wrongZone}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(choice, event.target.value)}
        />
      </Box>
      {kind === 'custom' && (
        <TextInput
          label={texts.cron}
          value={choice.cron}
          hint={texts.cronHint}
          problem={times === undefined && hasZone ? texts.wrongCron : undefined}
          autoComplete="off"
          spellCheck={false}
          inputProps={{ style: { fontFamily: '"Roboto Mono", monospace', fontSize: 13 } }}
          onChange={(event) => change({ cron: event.target.value })}
        />
      )}
      {times !== undefined && (
        <Box sx={{ mb: 2 }}>
          <Typography variant="caption" sx={{ fontWeight: 500, color: 'text.secondary' }} id="next-times">
            {texts.nextTimes}
          </Typography>
          <Box component="ul" aria-labelledby="next-times" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {times.map((time) => (
              <Box component="li" key={time.getTime()} sx={{ fontVariantNumeric: 'tabular-nums' }}>
                {describeTime(time, timeZone)}
              </Box>
            ))}
          </Box>
        </Box>
      )}
    </Box>
  );
};
