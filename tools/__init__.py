"""Programs that make the generated parts of the course: notebooks, releases, pages."""
