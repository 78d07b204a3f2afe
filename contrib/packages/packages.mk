# SPDX-License-Identifier: GPL-2.0-or-later
# packages.mk - packages for Debian and for distributions with RPM
#
# From the tarball of `make dist`, that is, of the last commit.

DEB_PACKAGES = build-essential debhelper dh-python dpkg-dev lintian slurmctld \
		libopenmpi-dev
DEB = $(BUILD)/deb
DEB_VERSION = $(VERSION)

## make deb packages for Debian in build/deb, checked with lintian
.PHONY: deb
deb: dist
	@contrib/install-packages $(PACKAGES) $(DEB_PACKAGES)
	rm -rf $(DEB)
	mkdir -p $(DEB)
	tar -xzf $(BUILD)/$(DIST).tar.gz -C $(DEB)
	cp -r contrib/packages/debian $(DEB)/$(DIST)/debian
	contrib/packages/changelog $(DEB_VERSION) \
		>$(DEB)/$(DIST)/debian/changelog
	cd $(DEB)/$(DIST) && dpkg-buildpackage -us -uc -b
	rm -rf $(DEB)/$(DIST)
	lintian --allow-root --fail-on error \
		--suppress-tags initial-upload-closes-no-bugs $(DEB)/*.changes
	@echo "bar lintian_errors 0"

RPM_PACKAGES = rpm rpmlint libopenmpi-dev
RPM = $(BUILD)/rpm

## make rpm packages for RHEL and others in build/rpm, checked with rpmlint
.PHONY: rpm
rpm: dist
	@contrib/install-packages $(PACKAGES) $(RPM_PACKAGES)
	rm -rf $(RPM)
	mkdir -p $(RPM)/SOURCES
	cp $(BUILD)/$(DIST).tar.gz $(RPM)/SOURCES
	rpmbuild --define '_topdir $(abspath $(RPM))' $(RPM_OPTIONS) \
		--define 'version_of_release $(VERSION)' \
		-bb contrib/packages/rpm/slurm-predict.spec
	contrib/packages/lint-rpm $(RPM)/RPMS/*/*.rpm \
		contrib/packages/rpm/slurm-predict.spec
