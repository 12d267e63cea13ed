enum FixturesPlaceholder {}
