import { PageHeader, SelectInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useColorScheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useMemo, type ReactElement } from 'react';
import { formatTime } from '../../parts/format-time.ts';
import { changePreferences, densities, isZone, usePreferences } from '../../preferences/preferences.ts';
import { preferencesText as texts } from '../../text/preferences.ts';

/** Current names of time zones that browsers accept but list under their old names. */
const newerNames = ['Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Yangon', 'Asia/Ho_Chi_Minh', 'Europe/Kyiv'];

const listZones = (): readonly string[] => [
  'UTC',
  ...[...new Set([...Intl.supportedValuesOf('timeZone'), ...newerNames.filter(isZone)])]
    .filter((zone) => zone !== 'UTC')
    .toSorted(),
];

const schemes = ['system', 'light', 'dark'] as const;

/** The page of preferences of this browser. Each change applies at once. */
export const PreferencesPage = (): ReactElement => {
  const { density, zone, hasSingleKeys } = usePreferences();
  const { mode, setMode } = useColorScheme();
  const zones = useMemo(() => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    return [
      { value: '', text: texts.zoneOfBrowser(own) },
      ...listZones().map((one) => ({
        value: one,
        text: one.replaceAll('_', ' '),
      })),
    ];
  }, []);
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{`${texts.title} · Redoubt`}</title>
      <PageHeader title={texts.title} facts={texts.facts} />
      <Box sx={{ maxWidth: 480 }}>
        <SelectInput
          label={texts.colours}
          value={mode ?? 'system'}
          options={schemes.map((value) => ({ value, text: texts.schemes[value] }))}
          onChange={(value) => setMode(schemes.find((one) => one === value) ?? 'system')}
        />
        <SelectInput
          label={texts.density}
          value={density}
          options={densities.map((value) => ({ value, text: texts.densities[value] }))}
          onChange={(value) =>
            changePreferences({ density: densities.find((one) => one === value) ?? 'normal' })
          }
        />
        <SelectInput
          label={texts.zone}
          value={zone}
          options={zones}
          onChange={(value) => changePreferences({ zone: value })}
        />
        <Typography
          variant="caption"
          component="p"
          role="status"
          sx={{ mt: -1, mb: 3, color: 'text.secondary' }}
        >
          {texts.zoneHint(formatTime(new Date()))}
        </Typography>
        <Typography variant="h2" sx={{ mb: 1 }}>
          {texts.keyboard}
        </Typography>
        <FormControlLabel
          control={
            <Checkbox
              size="small"
              checked={hasSingleKeys}
              onChange={(event) => changePreferences({ hasSingleKeys: event.target.checked })}
            />
          }
          label={texts.singleKeys}
        />
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {texts.singleKeysHint}
        </Typography>
      </Box>
    </Box>
  );
};
